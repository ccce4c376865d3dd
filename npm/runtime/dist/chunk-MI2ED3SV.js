// runtime/src/samples.ts
var Idle = 3;
var Program = 4;

export {
  Idle,
  Program
};
