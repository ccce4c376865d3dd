import { datadogRum } from '@datadog/browser-rum';
import { nameBrowser } from '@fieldprof/runtime/datadog';
import { work } from './work.js';

if (location.search === '?fields') {
  // As with Angular: the SDK prefers what zone.js has put aside.
  window.Zone = { __symbol__: (name) => '__zone_symbol__' + name };
  window.__zone_symbol__fetch = window.fetch;
}
if (/adapted|fields/.test(location.search)) nameBrowser({ fields: location.search === '?fields' });

let stopped; // the first profile was stopped
const { Profiler } = window;
window.Profiler = class extends Profiler {
  stop() {
    stopped = true;
    return super.stop();
  }
};

datadogRum.init({
  applicationId: '00000000-aaaa-0000-aaaa-000000000000',
  clientToken: 'pub0',
  site: 'datadoghq.com',
  proxy: location.origin + '/proxy',
  service: 'test',
  sessionSampleRate: 100,
  profilingSampleRate: 100,
  sessionReplaySampleRate: 0,
  telemetrySampleRate: 0,
});

/** The profiler starts some time after init, and asks then whether it may. */
async function started() {
  while (!performance.getEntriesByType('resource').some(({ name }) => name.includes('quota'))) await work(100);
}

/** With ?refused the answer is no, and ends the first profile before its minute is over. */
async function refused() {
  while (location.search === '?refused' && !stopped) await new Promise((resolve) => setTimeout(resolve, 10));
}

started()
  .then(refused)
  .then(() => work(67000)) // a profile each minute; those of less than five seconds are not sent
  .then(() => {
    datadogRum.stopSession();
    window.result = true;
  });
