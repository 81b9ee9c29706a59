/** So long is the arrow of a newton, in metres. */
export const metresPerNewton = 0.001
