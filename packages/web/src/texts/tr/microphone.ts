export const microphone = {
  noise: 'Gürültü engelleme',
  noiseOptions: { off: 'Kapalı', standard: 'Standart', strong: 'Güçlü' },
  music: 'Müzik modu',
  musicHint: 'Enstrümanları ve şarkıyı işlemeden, stereo olarak iletir. Kulaklık kullanın: yankı giderilmez.',
  fallback: {
    unsupported: 'Güçlü gürültü engelleme bu tarayıcıda çalışmıyor. Standart engelleme kullanılıyor.',
    failed: 'Güçlü gürültü engelleme başlatılamadı. Standart engelleme kullanılıyor.',
    waiting:
      'Güçlü gürültü engelleme, herhangi bir yere tıkladığınızda başlar. O zamana kadar standart engelleme kullanılır.',
  },
}
