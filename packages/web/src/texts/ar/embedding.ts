/** Questions of the page that embeds the room. */
export const embedding = {
  ask: {
    microphone: 'يطلب {{host}} تشغيل الميكروفون لديك.',
    camera: 'يطلب {{host}} تشغيل الكاميرا لديك.',
  },
  decline: 'ليس الآن',
}
