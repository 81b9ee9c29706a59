// Names of markers and joints, made comparable: whoever wrote a file, L.Knee, LKNE,
// left_knee and Ann:Knee_L mean the same place.

export type Side = 'left' | 'right' | 'middle'

export interface Place {
  side: Side
  part: string // lower-case letters and digits only, by one word for each place
}

// Short forms and other words of the sets in use; the word on the right is ours.
const words: Record<string, string> = {
  // pelvis
  asi: 'asis',
  fwt: 'asis',
  psi: 'psis',
  bwt: 'psis',
  sacr: 'sacrum',
  vsac: 'sacrum',
  vsacral: 'sacrum',
  sacral: 'sacrum',
  s2: 'sacrum',
  mwt: 'sacrum',
  // legs
  hjc: 'hip',
  hipjoint: 'hip',
  upleg: 'hip',
  kne: 'knee',
  kjc: 'knee',
  lfc: 'knee',
  kneelat: 'knee',
  kneelateral: 'knee',
  latknee: 'knee',
  kneejoint: 'knee',
  ank: 'ankle',
  ajc: 'ankle',
  lmal: 'ankle',
  mall: 'ankle',
  anklelat: 'ankle',
  anklelateral: 'ankle',
  latankle: 'ankle',
  anklejoint: 'ankle',
  hee: 'heel',
  cal: 'heel',
  calc: 'heel',
  calcn: 'heel',
  met: 'toe',
  mt2: 'toe',
  toetip: 'toe',
  bigtoe: 'toe',
  toebase: 'toe',
  smh: 'toe',
  foots: 'toe',
  footindex: 'toe',
  smalltoe: 'mt5',
  toelat: 'mt5',
  vmh: 'mt5',
  midfootlat: 'mt5',
  mt1: 'mt1',
  fmh: 'mt1',
  toemed: 'mt1',
  // arms
  sho: 'shoulder',
  should: 'shoulder',
  acr: 'shoulder',
  acr1: 'shoulder',
  acromion: 'shoulder',
  acromium: 'shoulder',
  acj: 'shoulder',
  sjc: 'shoulder',
  shoulderjoint: 'shoulder',
  elb: 'elbow',
  ejc: 'elbow',
  lel: 'elbow',
  elblat: 'elbow',
  elbowlat: 'elbow',
  elbowlateral: 'elbow',
  lateralepicondyle: 'elbow',
  elbowjoint: 'elbow',
  wra: 'wrist',
  wri: 'wrist',
  wjc: 'wrist',
  wristlat: 'wrist',
  wristlateral: 'wrist',
  wristjoint: 'wrist',
  wrb: 'wristmed',
  wristmedial: 'wristmed',
  fin: 'hand',
  finger: 'hand',
  mcp3: 'hand',
  hnd: 'hand',
  // trunk
  clav: 'clavicle',
  ij: 'clavicle',
  strn: 'sternum',
  px: 'sternum',
  xiph: 'sternum',
  xyp: 'sternum',
  t8: 't10',
  thorax: 'chest',
  chest2: 'chest',
  upperchest: 'chest',
  // head
  fhd: 'headfront',
  bhd: 'headback',
  tophead: 'headtop',
  headtop: 'headtop',
  headtopend: 'headtop',
  headend: 'headtop',
  vertex: 'headtop',
  htop: 'headtop',
  pelvis: 'pelvis',
  hips: 'pelvis',
  midhip: 'pelvis',
  root: 'pelvis',
}

const middles = new Set([
  'lumbar',
  'larynx',
  'lowerback',
  'root',
  'lowback',
  'lowerneck',
  'rib',
  'reference',
  'l1',
  'l2',
  'l3',
  'l4',
  'l5',
  'lsp',
])

/** Takes a name apart. The subject before a colon, casing and punctuation do not count. */
export function place(name: string): Place {
  let text = name.slice(name.lastIndexOf(':') + 1)
  text = text.replace(/^(mixamorig\d*|bip\d+|def|org|jnt|joint)[ _.-]+/i, '')
  let side: Side = 'middle'
  const long = /^(left|right)(?=[^a-z]|[A-Z]|.{3,}$)/i.exec(text) ?? /(left|right)$/i.exec(text)
  const apart = /^([lr])[ ._-]+(?=.)/i.exec(text) ?? /[ ._-]+([lr])$/i.exec(text)
  const plain = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  if (long) {
    side = long[1]!.toLowerCase() as Side
    text = text.replace(long[0], '')
  } else if (apart) {
    side = apart[1]!.toLowerCase() === 'l' ? 'left' : 'right'
    text = text.replace(apart[0], '')
  } else if (!middles.has(plain)) {
    const near =
      /^([LR])(?=[A-Z].)/.exec(text) ??
      /^([lr])(?=[A-Z]{2})/.exec(text) ??
      (/^[a-z]+$/.test(text) ? /^([lr])(?=.)/.exec(text) : null)
    if (near) {
      const rest = text
        .slice(1)
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]/gu, '')
      // A single letter is a side only before a word that is known to have one, or that a model calculates for
      // each side, such as LKneeAngles.
      if (known(rest) || output.test(text)) {
        side = near[1]!.toLowerCase() === 'l' ? 'left' : 'right'
        text = text.slice(1)
      }
    }
  }
  const part = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return { side, part: words[part] ?? part }
}

// Outputs of models that have a side before a word.
const output = /^[LR][A-Z][a-z].*(Angles?|Moments?|Forces?|Powers?|GRF)$/

const sided = new Set([
  ...Object.keys(words),
  ...Object.values(words),
  'knee',
  'ankle',
  'heel',
  'toe',
  'hip',
  'shoulder',
  'elbow',
  'wrist',
  'hand',
  'asis',
  'psis',
  'thi',
  'thigh',
  'tib',
  'shank',
  'tibia',
  'upa',
  'frm',
  'fra',
  'forearm',
  'bak',
  'eye',
  'ear',
  'kneemed',
  'anklemed',
  'knm',
  'med',
  'mal',
  'mfc',
  'mmal',
  'lmal',
  'uparm',
  'mel',
  'shn',
  'thumb',
  'foo',
  'foot',
  'th1',
  'th2',
  'th3',
  'th4',
  'tb1',
  'tb2',
  'tb3',
  'sha',
  'roff',
])

function known(part: string): boolean {
  return sided.has(part)
}
