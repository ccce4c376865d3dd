import { where } from './deep/place';

postMessage({ runtime: typeof Object(self).__fieldprof, stack: where(() => 1) });
