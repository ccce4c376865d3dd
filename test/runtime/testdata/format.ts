// The part of the runtime that the page of stacks_test.go has.
export { format } from "../../../runtime/src/stacks/format";
