// input.js
var p = new Profiler();
function foo(n) {
    var sum = 0;
    for (var i = 0; i < n; i++) {
        sum += i;
    }
    var fac = 1;
    for (var i = 1; i < 2 * n; i++) {
        fac *= i;
    }
    return sum + fac;
}

function bar(n) {
    p.frame().one = 1;
    var info = p.frame();
    info.two = 2;
    info.n   = n;
}

p.start();
foo(4000000);
bar(200);
p.stop();

print(JSON.stringify(p.results()))
