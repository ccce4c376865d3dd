package htmlscan

import "testing"

func TestSmoke(t *testing.T) {
	p := Scan([]byte("<!doctype html><head><script src='a&amp;b'>x</script ><svg><script>y</script></svg>"))
	t.Logf("%+v %+v", p, p.Scripts[0].Src)
}
