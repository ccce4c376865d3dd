// Shared by the drives of the sites.
const turn = () => new Promise((done) => setTimeout(done, 20));
const text = () => document.body.innerText.replace(/\s+/g, ' ').trim();
async function until(condition) {
  for (const end = Date.now() + 10000; ; await turn()) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`in vain: ${condition}: ${text()}`);
  }
}
