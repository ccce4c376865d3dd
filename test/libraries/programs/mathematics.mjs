// mathjs and three: numbers, parsing, matrices, vectors, geometry.
import { create, all } from 'mathjs';
import * as THREE from 'three';
import { attempt, digest } from './digest.mjs';

const math = create(all, { randomSeed: 'seed' });
const expressions = ['2 + 3 * sqrt(4)', 'det([[1, 2; 3, 4]])', 'inv([[1, 2], [3, 4]])', '5.08 cm to inch', 'derivative("x^3 + sin(x)", "x")', 'simplify("2x + 3x - x * 1")', 'f(x) = x^2; f(7)', '(2 + 3i)^2', 'bignumber(1) / 3', 'fraction(1, 3) + fraction(1, 6)', 'gcd(12, 18, 27)', 'eigs([2, 1; 1, 3]).values', '1 +', 'combinations(20, 7)', 'std([2, 4, 6, 9])', '[1:5] .* 2', 'lusolve([[1, 2], [3, 5]], [5, 13])', 'isPrime(7919)', 'format(pi, 20)', 'unknown(1)'];
for (const text of expressions) console.log(text, '=', attempt(() => math.format(math.evaluate(text), { precision: 12 }).replaceAll('\n', ' ')));
console.log(math.parse('a ? b : c[2:3] + {d: "e"}').toString(), math.random(), digest(math.multiply(math.identity(12), math.resize(math.matrix([[1, 2], [3, 4]]), [12, 12], 5)).toArray()));

const scene = new THREE.Scene();
for (let i = 0; i < 6; i++) {
  const mesh = new THREE.Mesh(new THREE.TorusKnotGeometry(1, 0.3, 24, 6), new THREE.MeshBasicMaterial({ color: i * 4096 }));
  mesh.position.set(i, -i, i * i);
  mesh.rotation.set(i / 2, i / 3, i);
  mesh.uuid = `mesh-${i}`;
  scene.add(mesh);
}
scene.updateMatrixWorld(true);
const raycaster = new THREE.Raycaster(new THREE.Vector3(0, 0, 50), new THREE.Vector3(0, 0, -1));
console.log('hits', raycaster.intersectObjects(scene.children).map((h) => [h.object.uuid, h.distance.toFixed(6), h.faceIndex]));
const camera = new THREE.PerspectiveCamera(50, 1.5, 0.1, 100);
camera.position.set(1, 2, 30);
camera.lookAt(scene.position);
camera.updateMatrixWorld();
console.log('projected', scene.children.map((m) => m.getWorldPosition(new THREE.Vector3()).project(camera).toArray().map((x) => x.toFixed(9))));
console.log('box', new THREE.Box3().setFromObject(scene).getSize(new THREE.Vector3()).toArray().map((x) => x.toFixed(9)));
const curve = new THREE.CatmullRomCurve3([0, 1, 2, 3].map((i) => new THREE.Vector3(i, i ** 2, Math.cos(i))));
console.log('curve', curve.getLength().toFixed(9), digest(curve.getSpacedPoints(20).map((p) => p.toArray().map((x) => x.toFixed(9)))));
console.log('colours', new THREE.Color('hsl(200, 50%, 40%)').getHexString(), new THREE.Quaternion().setFromEuler(new THREE.Euler(1, 2, 3, 'ZYX')).toArray().map((x) => x.toFixed(9)));
