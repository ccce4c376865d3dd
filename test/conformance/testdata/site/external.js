/* 😀 */ function externalFunction(sample) { sample(); sample(); }

const externalArrow = (sample) => {
  sample();
};

async function externalAsync(sample) {
  await null;
  sample();
}

function* externalGenerator(sample) {
  sample();
  yield 1;
}
