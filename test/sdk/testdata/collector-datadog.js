// As datadog.js, but its proxy is a collector, in the page's address.
import { datadogRum } from '@datadog/browser-rum';
import { work } from './work.js';

const parameters = new URLSearchParams(location.search);
datadogRum.init({
  applicationId: '00000000-aaaa-0000-aaaa-000000000000',
  clientToken: parameters.get('key'),
  site: 'datadoghq.com',
  proxy: parameters.get('collector') + '/v1/datadog',
  service: 'test',
  version: 'sdk-1',
  sessionSampleRate: 100,
  profilingSampleRate: 100,
  sessionReplaySampleRate: 0,
  telemetrySampleRate: 0,
});

/** The profiler starts some time after init, and asks then whether it may. */
async function started() {
  while (!performance.getEntriesByType('resource').some(({ name }) => name.includes('quota'))) await work(100);
}

started()
  .then(() => work(67000)) // a profile each minute
  .then(() => datadogRum.stopSession())
  .then(() => (window.result = true));
