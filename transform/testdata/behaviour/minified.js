// Keywords joined to what follows, as minifiers write.
function f(a){if(a>5)return(a,1);if(a>4)return!0;if(a>3)return"x";if(a>2)return[a];if(a>1)return/x/;if(a)return-a;return{a}}
for(let i=0;i<7;i++)print(JSON.stringify(f(i)),typeof f(i));
function*g(a){const b=yield(a);yield[b];yield!b;yield"y";yield;return(a,b)}
const it=g(1);for(let i=0;i<7;i++)print(JSON.stringify(it.next(i)));
const h=a=>b=>(a,b),k=a=>({a}),l=a=>[a];print(h(1)(2),k(3).a,l(4));
const q=function(a){for(;;)if(a++>3)return a;else continue};print(q(0));
const v=a=>{if(a)return;else return(a)};print(v(1),v(0));
(async a=>{const b=await(a);print(b,await[b],await!b,await`t`);return(b)})(5).then(x=>{print(x)});
done(()=>{print("done")});
