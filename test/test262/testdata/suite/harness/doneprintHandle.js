function $DONE(error) {
  print(error ? 'Test262:AsyncTestFailure:' + error.message : 'Test262:AsyncTestComplete');
}
