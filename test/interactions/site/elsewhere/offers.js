// A third party's script, as a page gets it from elsewhere.
(function () {
  function rankOffers(list) {
    let best = 0;
    for (let i = 0; i < list.length; i++) {
      for (let k = 0; k < list.length; k++) {
        if (list[i] * k > list[k] * i) best = list[i] ^ k;
      }
    }
    return best;
  }

  function onOffers() {
    const list = Array.from({ length: 400 }, (_, i) => (i * 7919) % 1009);
    const end = performance.now() + 300; // slow on any machine
    let best = 0;
    do best = rankOffers(list);
    while (performance.now() < end);
    document.getElementById('result').textContent = String(best);
  }

  document.getElementById('offers').addEventListener('click', onOffers);
})();
