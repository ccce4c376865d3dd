// For code in Node: profiles on demand, and labels that say whose work is being done.
import { setLoader } from "../recording/parts";
import * as trace from "./trace";

setLoader(() => Promise.resolve(trace));

export { start, stop, type Profile, type StartOptions } from "../node/profiles";
export { labels, type Labels } from "../node/labels";
export { expressLabels, fastifyLabels, koaLabels, labelsNow, type ExpressRequest, type FastifyRequest, type KoaContext, type RequestLabels } from "../node/frameworks";
