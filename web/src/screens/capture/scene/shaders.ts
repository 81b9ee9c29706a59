// What the graphics card is told. Points are drawn as spheres and bones as round
// sticks without any geometry of their own: a square and a ribbon that face the eye,
// shaded as if they were round.

const light = /* glsl */ `
  float lit(vec3 n) {
    return 0.58 + 0.42 * clamp(dot(n, normalize(vec3(-0.35, 0.75, 0.6))), 0.0, 1.0);
  }
`

export const sphereVertex = /* glsl */ `
  uniform float uRadius;
  uniform float uScale; // pixels of a length at distance 1
  uniform float uLeast; // pixels
  uniform int uHover;
  uniform int uChosen;
  attribute vec3 tint;
  varying vec3 vTint;
  varying float vRing;
  varying float vSize;
  void main() {
    vec4 at = modelViewMatrix * vec4(position, 1.0);
    gl_Position = projectionMatrix * at;
    float size = max(uLeast, 2.0 * uRadius * uScale / -at.z);
    bool near = gl_VertexID == uHover || gl_VertexID == uChosen;
    vRing = near ? 1.0 : 0.0;
    vSize = near ? size * 1.9 : size;
    gl_PointSize = vSize;
    vTint = tint;
    if (position.x > 1e18) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }
`

export const sphereFragment = /* glsl */ `
  uniform vec3 uAccent;
  varying vec3 vTint;
  varying float vRing;
  varying float vSize;
  ${light}
  void main() {
    vec2 c = gl_PointCoord * 2.0 - 1.0;
    float grow = mix(1.0, 1.9, vRing);
    float d = length(c) * grow;
    float soft = 2.0 * grow / vSize;
    float inside = 1.0 - smoothstep(1.0 - soft, 1.0, d);
    vec3 colour = vTint * lit(vec3(c.x * grow, -c.y * grow, sqrt(max(0.0, 1.0 - d * d))));
    float ring = vRing * smoothstep(1.4 - soft, 1.4, d) * (1.0 - smoothstep(1.85 - soft, 1.85, d));
    float alpha = max(inside, ring);
    if (alpha < 0.02) discard;
    gl_FragColor = vec4(mix(uAccent, colour, inside), alpha);
    #include <colorspace_fragment>
  }
`

export const ribbonVertex = /* glsl */ `
  uniform float uRadius; // of the stick, or half the pixels of a line
  uniform float uScale;
  uniform bool uLine; // uRadius counts pixels
  uniform bool uShadow; // cast on the floor
  uniform float uFloor;
  uniform float uBody;
  attribute vec2 corner; // side, end
  attribute vec3 start;
  attribute vec3 end;
  attribute vec3 tint;
  attribute vec2 fade; // at either end
  varying vec3 vTint;
  varying float vAcross;
  varying float vFade;
  void main() {
    vec4 a = modelMatrix * vec4(start, 1.0);
    vec4 b = modelMatrix * vec4(end, 1.0);
    vFade = mix(fade.x, fade.y, corner.y);
    vTint = tint;
    vAcross = corner.x;
    vec3 side;
    vec3 at;
    if (uShadow) {
      float height = mix(a.y, b.y, corner.y) - uFloor;
      vFade *= exp(-3.0 * max(height, 0.0) / uBody);
      a.y = b.y = uFloor + 0.002 * uBody;
      vec3 along = b.xyz - a.xyz;
      side = vec3(along.z, 0.0, -along.x);
      float spread = uRadius * (1.6 + 2.5 * max(height, 0.0) / uBody);
      at = mix(a.xyz, b.xyz, corner.y) + side * (spread / max(length(side), 1e-6)) * corner.x;
      at += along * (spread / max(length(along), 1e-6)) * (corner.y * 2.0 - 1.0);
      gl_Position = projectionMatrix * viewMatrix * vec4(at, 1.0);
    } else {
      vec3 p = (viewMatrix * a).xyz;
      vec3 q = (viewMatrix * b).xyz;
      at = mix(p, q, corner.y);
      side = cross(q - p, at);
      float r = uLine ? uRadius * -at.z / uScale : max(uRadius, 0.7 * -at.z / uScale);
      at += side * (r / max(length(side), 1e-9)) * corner.x;
      gl_Position = projectionMatrix * vec4(at, 1.0);
    }
    if (start.x > 1e18 || end.x > 1e18) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }
`

export const ribbonFragment = /* glsl */ `
  uniform float uAlpha;
  uniform bool uLine;
  uniform bool uShadow;
  varying vec3 vTint;
  varying float vAcross;
  varying float vFade;
  ${light}
  void main() {
    float soft = fwidth(vAcross);
    float edge = 1.0 - smoothstep(1.0 - soft, 1.0, abs(vAcross));
    float alpha = uAlpha * vFade;
    if (uShadow) alpha *= 1.0 - vAcross * vAcross;
    else alpha *= edge;
    if (alpha < 0.01) discard;
    float n = sqrt(max(0.0, 1.0 - vAcross * vAcross));
    vec3 colour = uShadow || uLine ? vTint : vTint * lit(vec3(-vAcross * 0.7, 0.5 * n, n));
    gl_FragColor = vec4(uShadow ? vec3(0.0) : colour, alpha);
    #include <colorspace_fragment>
  }
`

export const floorVertex = /* glsl */ `
  varying vec3 vAt;
  void main() {
    vec4 at = modelMatrix * vec4(position, 1.0);
    vAt = at.xyz;
    gl_Position = projectionMatrix * viewMatrix * at;
  }
`

export const floorFragment = /* glsl */ `
  uniform float uCell;
  uniform float uReach;
  uniform vec3 uCentre;
  uniform vec3 uInk;
  uniform vec3 uGround;
  uniform float uStrength;
  varying vec3 vAt;
  float lines(vec2 p) {
    vec2 wide = fwidth(p);
    vec2 q = abs(fract(p - 0.5) - 0.5) / wide;
    float fine = 1.0 - smoothstep(0.35, 1.0, max(wide.x, wide.y) * 2.0);
    return (1.0 - min(min(q.x, q.y), 1.0)) * fine;
  }
  void main() {
    float away = distance(vAt.xz, uCentre.xz) / uReach;
    float fade = 1.0 - smoothstep(0.25, 1.0, away);
    float a = 0.30 * lines(vAt.xz / (uCell * 0.2)) ;
    a = max(a, 0.9 * lines(vAt.xz / uCell));
    float shade = 0.55 * fade;
    float ink = a * fade * uStrength;
    gl_FragColor = vec4(mix(uGround, uInk, ink), max(shade, ink));
    #include <colorspace_fragment>
  }
`
