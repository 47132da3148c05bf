export const microphone = {
  noise: 'Supressão de ruído',
  noiseOptions: { off: 'Não', standard: 'Padrão', strong: 'Forte' },
  music: 'Modo música',
  musicHint: 'Transmite instrumentos e canto sem processamento, em estéreo. Use fones: o eco não é removido.',
  fallback: {
    unsupported: 'A supressão forte não funciona neste navegador. É usada a padrão.',
    failed: 'Não foi possível iniciar a supressão forte. É usada a padrão.',
    waiting: 'A supressão forte começa quando você clicar em qualquer lugar. Até lá, é usada a padrão.',
  },
}
