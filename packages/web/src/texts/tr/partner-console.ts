export const partnerConsole = {
  rooms: 'Odalar',
  deliveries: 'Teslimatlar',
  title: 'Webhook',
  none: 'İş ortağı henüz bir webhook ayarlamadı.',
  url: 'URL',
  events: 'Olaylar',
  enabled: 'Açık',
  disabled: 'Kapalı',
  previous: 'Önceki gizli anahtar',
  until: '{{time}} tarihine kadar geçerli',
  test: 'Test olayı gönder',
  testQuestion: '{{name}} için bir test olayı gönderilsin mi?',
  tested: 'Test olayı kuyrukta. Yanıt, teslimat listesinde görünecek.',
  rotate: 'Gizli anahtarı değiştir',
  rotateQuestion:
    '{{name}} için yeni bir gizli anahtar oluşturulsun mu? Bir gün boyunca teslimatlar her iki anahtarla imzalanır.',
  rotated: 'Yeni gizli anahtar hazır.',
  secret: 'Yeni webhook gizli anahtarı',
  secretNote: 'Bunu şimdi iş ortağına verin: bir daha gösterilmez.',
  finish: 'Önceki anahtarı geçersiz kıl',
  finishQuestion:
    'Yalnızca yeni anahtarla mı imzalansın? Hâlâ öncekini kullanan bir alıcı tüm teslimatları reddeder.',
  finished: 'Teslimatlar yalnızca yeni anahtarla imzalanıyor.',
  remove: 'Webhook’u kaldır',
  removeQuestion:
    '{{name}} webhook’u kaldırılsın mı? Bekleyen teslimatlar iptal edilir, yeni olaylar gönderilmez.',
  removed: 'Webhook kaldırıldı.',
}
