var said = [];

function say(...words) {
  said.push(words.join(' '));
  console.log(words.join(' '));
}

function sloppy() {
  return this;
}

class Shape {
  #scale = 1;
  constructor(scale = 2) {
    this.#scale = scale;
  }
  get area() {
    return this.#scale * this.unit();
  }
  unit() {
    throw new Error('no unit');
  }
}

class Circle extends Shape {
  unit() {
    return Math.PI;
  }
}

class Square extends Shape {
  constructor(...sides) {
    super(sides.reduce((a, b) => a * b));
  }
  unit() {
    return 1;
  }
}

function shapes() {
  const made = [new Circle(), new Square(3, 4)];
  try {
    new Shape().area.toFixed();
  } catch (error) {
    say('caught', error.message);
  } finally {
    say('made', made.length);
  }
  return made;
}
