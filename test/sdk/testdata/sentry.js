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
document.addEventListener('visibilitychange', () => {
  if (document.hidden) Sentry.uiProfiler.stopProfiler(); // which sends the chunk
  else Sentry.uiProfiler.startProfiler();
});
work(1000).then(() => {
  if (location.search === '?hidden') {
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange'));
  } else {
    Sentry.uiProfiler.stopProfiler();
  }
  window.result = true;
});
