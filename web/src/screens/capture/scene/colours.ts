// Colours of the scene: of subjects, of sides, and what stands around them.

export type RGB = [number, number, number] // sRGB, 0 to 1

export function hex(text: string): RGB {
  const n = parseInt(text.slice(1), 16)
  return [(n >> 16) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255]
}

export function css([r, g, b]: RGB): string {
  return `rgb(${Math.round(255 * r)} ${Math.round(255 * g)} ${Math.round(255 * b)})`
}

export interface Palette {
  back: RGB
  ground: RGB
  ink: RGB // of the grid
  gridStrength: number
  shadow: number
  text: string
  halo: string
  accent: RGB
  force: RGB
  subjects: RGB[]
  sides: { left: RGB; right: RGB; middle: RGB }
}

// Subjects are told apart also by who does not see red and green apart.
export const light: Palette = {
  back: hex('#f7f8f8'),
  ground: hex('#eef0f1'),
  ink: hex('#b4bcc2'),
  gridStrength: 0.9,
  shadow: 0.14,
  text: '#1d2430',
  halo: 'rgba(255,255,255,.85)',
  accent: hex('#0b6e63'),
  force: hex('#b3261e'),
  subjects: ['#2f6fd0', '#d9772b', '#1f9e89', '#b04fa8', '#8a7a1f', '#d1495b', '#4a6fa5', '#5b8c3a'].map(hex),
  sides: { left: hex('#d9653b'), right: hex('#2f74c9'), middle: hex('#4c5666') },
}

export const dark: Palette = {
  back: hex('#141719'),
  ground: hex('#1a1e21'),
  ink: hex('#4b545b'),
  gridStrength: 0.85,
  shadow: 0.4,
  text: '#e8ecf3',
  halo: 'rgba(10,12,16,.8)',
  accent: hex('#58cdbd'),
  force: hex('#ff9b92'),
  subjects: ['#6ba4f5', '#f3a25f', '#4fd1b8', '#dc8bd4', '#d3c15a', '#f0818f', '#93b4e0', '#9ccb74'].map(hex),
  sides: { left: hex('#f39370'), right: hex('#6eaaf5'), middle: hex('#c3cbd8') },
}

/** Linear light, which is what three's shaders reckon in. */
export function linear([r, g, b]: RGB): RGB {
  const f = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  return [f(r), f(g), f(b)]
}
