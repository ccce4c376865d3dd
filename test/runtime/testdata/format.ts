// What the page of stacks_test.go has of the runtime.
export { format } from "../../../runtime/src/stacks/format";
