/** Sharing one's own screen. */
export const sharing = {
  on: 'Paylaşıyorsunuz',
  preview: 'Paylaştığınız içeriğin önizlemesi',
  stop: 'Durdur',
}
