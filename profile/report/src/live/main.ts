// The live panel: a page, and the worker that feeds it. Both run this script: the worker
// has it from a blob, so that the page is all that a server has to serve.
import { startPage } from "./page";
import { startWorker } from "./worker";

if (typeof document === "undefined") startWorker();
else startPage(document.currentScript!.textContent!);
