import { datadogRum } from '@datadog/browser-rum';
import { work } from './work.js';

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
work(5400).then(() => {
  datadogRum.stopSession(); // which sends the profile, since it is longer than 5 s
  window.result = true;
});
