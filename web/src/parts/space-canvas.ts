/** Points and lines in three dimensions, drawn by WebGL alone: two small programs, and no library. Knows nothing of notes. */
import { FOCAL, type Camera, type Vector } from "../lib/space-map";

export type Colour = readonly [number, number, number]; // each from 0 to 1

export interface Scene {
  points: { at: Vector; colour: Colour; size: number; isFaint: boolean }[];
  lines: { from: Vector; to: Vector; colour: Colour }[];
}

const POINT = 8; // floats of a point: place, colour, size, opacity
const LINE = 6; // floats of an end of a line: place, colour

// The same turn and tilt as `seen` of the camera.
const PLACE = `#version 300 es
precision highp float;
uniform vec3 camera; // turn, tilt, distance
uniform vec3 middle;
uniform vec2 scale;
uniform float far; // nothing farther is drawn, and nothing nearer than 0.1
vec4 placed(vec3 point) {
  vec3 p = point - middle;
  float across = p.x * cos(camera.x) - p.z * sin(camera.x);
  float deep = p.x * sin(camera.x) + p.z * cos(camera.x);
  float up = p.y * cos(camera.y) - deep * sin(camera.y);
  float away = camera.z - (p.y * sin(camera.y) + deep * cos(camera.y));
  return vec4(scale.x * across, scale.y * up, ((far + 0.1) * away - 0.2 * far) / (far - 0.1), away);
}`;
const POINTS = `${PLACE}
in vec3 place; in vec3 colour; in float size; in float opacity;
uniform float pixels;
out vec4 shade;
void main() {
  gl_Position = placed(place);
  gl_PointSize = clamp(size * pixels / gl_Position.w, 3.0, 64.0);
  shade = vec4(colour, opacity);
}`;
const ROUND = `#version 300 es
precision highp float;
in vec4 shade; out vec4 drawn;
void main() {
  float away = length(gl_PointCoord - 0.5) * 2.0;
  if (away > 1.0) discard;
  drawn = vec4(shade.rgb * (1.0 - 0.25 * away), 1.0) * shade.a * (1.0 - smoothstep(0.85, 1.0, away));
}`;
const LINES = `${PLACE}
in vec3 place; in vec3 colour;
out vec4 shade;
void main() { gl_Position = placed(place); shade = vec4(colour, 0.35); }`;
const PLAIN = `#version 300 es
precision highp float;
in vec4 shade; out vec4 drawn;
void main() { drawn = vec4(shade.rgb, 1.0) * shade.a; }`;

export class SpaceCanvas {
  private readonly gl: WebGL2RenderingContext;
  private readonly points: Layer;
  private readonly lines: Layer;

  /** Throws where there is no WebGL. */
  constructor(private readonly canvas: HTMLCanvasElement) {
    const gl = canvas.getContext("webgl2", { antialias: true, premultipliedAlpha: true });
    if (!gl) throw new Error("no WebGL");
    this.gl = gl;
    this.points = new Layer(gl, POINTS, ROUND, [["place", 3], ["colour", 3], ["size", 1], ["opacity", 1]], POINT);
    this.lines = new Layer(gl, LINES, PLAIN, [["place", 3], ["colour", 3]], LINE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
  }

  show({ points, lines }: Scene): void {
    this.points.fill(points.flatMap(({ at, colour, size, isFaint }) => [...at, ...colour, size, isFaint ? 0.12 : 1]));
    this.lines.fill(lines.flatMap(({ from, to, colour }) => [...from, ...colour, ...to, ...colour]));
  }

  /** `far` is the distance of the farthest point. */
  draw(camera: Camera, far: number): void {
    const { gl, canvas } = this;
    const density = Math.min(window.devicePixelRatio, 2);
    const [width, height] = [Math.round(canvas.clientWidth * density), Math.round(canvas.clientHeight * density)];
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const scale = (FOCAL * Math.min(width, height)) / 2; // pixels of a length of one at a distance of one
    const shape: [number, number] = [(2 * scale) / width, (2 * scale) / height];
    gl.depthMask(false); // lines are behind every point
    this.lines.draw(gl.LINES, camera, far, shape, scale);
    gl.depthMask(true);
    this.points.draw(gl.POINTS, camera, far, shape, scale);
  }

  end(): void {
    this.points.end();
    this.lines.end();
  }
}

/** One program with its buffer. */
class Layer {
  private readonly program: WebGLProgram;
  private readonly buffer: WebGLBuffer;
  private readonly vertices: WebGLVertexArrayObject;
  private amount = 0;

  constructor(private readonly gl: WebGL2RenderingContext, vertex: string, fragment: string, fields: [string, number][], private readonly each: number) {
    this.program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
      const shader = gl.createShader(kind) as WebGLShader;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(this.program, shader);
    }
    gl.linkProgram(this.program);
    if (!gl.getProgramParameter(this.program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(this.program) ?? "no program");
    this.buffer = gl.createBuffer();
    this.vertices = gl.createVertexArray();
    gl.bindVertexArray(this.vertices);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    let at = 0;
    for (const [name, size] of fields) {
      const place = gl.getAttribLocation(this.program, name);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, each * 4, at * 4);
      at += size;
    }
  }

  fill(numbers: number[]): void {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(numbers), gl.STATIC_DRAW);
    this.amount = numbers.length / this.each;
  }

  draw(mode: number, { turn, tilt, distance, middle }: Camera, far: number, shape: [number, number], pixels: number): void {
    const { gl, program } = this;
    gl.useProgram(program);
    gl.bindVertexArray(this.vertices);
    gl.uniform3f(gl.getUniformLocation(program, "camera"), turn, tilt, distance);
    gl.uniform2f(gl.getUniformLocation(program, "scale"), ...shape);
    gl.uniform3f(gl.getUniformLocation(program, "middle"), ...(middle as [number, number, number]));
    gl.uniform1f(gl.getUniformLocation(program, "far"), far);
    gl.uniform1f(gl.getUniformLocation(program, "pixels"), pixels);
    gl.drawArrays(mode, 0, this.amount);
  }

  end(): void {
    this.gl.deleteBuffer(this.buffer);
    this.gl.deleteVertexArray(this.vertices);
    this.gl.deleteProgram(this.program);
  }
}
