import * as Sentry from '@sentry/browser';
import { work } from './work.js';

Sentry.init({
  dsn: 'https://public@sentry.invalid/1',
  tunnel: location.origin + '/tunnel',
  integrations: [Sentry.browserProfilingIntegration()],
  profileSessionSampleRate: 1,
  profileLifecycle: 'manual',
});
Sentry.uiProfiler.startProfiler();
work(1000).then(() => {
  Sentry.uiProfiler.stopProfiler(); // which sends the chunk
  window.result = true;
});
