/** Sharing one's own screen. */
export const sharing = {
  on: 'Estás compartiendo',
  preview: 'Vista previa de lo que compartes',
  stop: 'Detener',
}
