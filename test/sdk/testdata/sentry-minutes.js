import * as Sentry from '@sentry/browser';
import { wholeChunks } from '@fieldprof/runtime/sentry';
import { work } from './work.js';

const adapted = location.search === '?adapted';

Sentry.init({
  dsn: 'https://public@sentry.invalid/1',
  tunnel: location.origin + '/tunnel',
  integrations: [...(adapted ? [wholeChunks()] : []), Sentry.browserProfilingIntegration()],
  profileSessionSampleRate: 1,
  profileLifecycle: 'manual',
});
Sentry.uiProfiler.startProfiler();
work(121000).then(() => {
  Sentry.uiProfiler.stopProfiler();
  window.result = true;
});
