import { where } from './deep/place';

interface Realm {
  __fieldprof?: object;
  __fieldprofSource?: string;
}

// The client comes after this module.
setTimeout(() => {
  const realm: Realm = self as Realm;
  postMessage({ runtime: typeof realm.__fieldprof, source: realm.__fieldprofSource, stack: where(() => 1) });
});
