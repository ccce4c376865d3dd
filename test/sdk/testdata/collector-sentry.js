// As sentry.js, but its DSN is that of a collector, in the page's address.
import * as Sentry from '@sentry/browser';
import { work } from './work.js';

const parameters = new URLSearchParams(location.search);
Sentry.init({
  dsn: parameters.get('collector').replace('//', `//${parameters.get('key')}@`) + '/1',
  release: 'sdk-1',
  integrations: [Sentry.browserProfilingIntegration()],
  profileSessionSampleRate: 1,
  profileLifecycle: 'manual',
});
Sentry.uiProfiler.startProfiler();
work(1000)
  .then(() => Sentry.uiProfiler.stopProfiler()) // which sends the chunk
  .then(() => Sentry.captureMessage('not a profile'))
  .then(() => (window.result = true));
