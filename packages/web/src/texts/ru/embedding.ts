export const embedding = {
  ask: {
    microphone: 'Сайт {{host}} просит включить ваш микрофон.',
    camera: 'Сайт {{host}} просит включить вашу камеру.',
  },
  decline: 'Не сейчас',
}
