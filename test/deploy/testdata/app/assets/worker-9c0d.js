onmessage = function (event) {
  var product = 1;
  for (var i = 0; i < event.data.length; i++) product = (product * event.data[i]) % 9973;
  postMessage(product);
};
