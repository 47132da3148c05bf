/** What moderators permit, forbid and show to everybody. */
export const moderation = {
  permissions: 'Katılımcı izinleri',
  everybody: {
    microphone: 'Mikrofonu açma',
    camera: 'Kamerayı açma',
    screen: 'Ekran paylaşma',
    chat: 'Sohbete yazma',
  },
  lowerAllHands: 'Tüm elleri indir',
  options: '{{name}} için seçenekler',
  spotlight: 'Herkes için öne çıkar',
  endSpotlight: 'Öne çıkarmayı kaldır',
  inSpotlight: 'Herkes için öne çıkarıldı',
  spotlit: 'Artık herkes için öne çıkarılıyorsunuz',
  spotlightEnded: 'Artık herkes için öne çıkarılmıyorsunuz',
  stopCamera: 'Kamerayı kapat',
  stopScreen: 'Ekran paylaşımını durdur',
  person: {
    microphone: 'Mikrofonu açabilir',
    camera: 'Kamerayı açabilir',
    screen: 'Ekran paylaşabilir',
    chat: 'Sohbete yazabilir',
  },
  forbidden: {
    microphone: 'Bir moderatör mikrofonunuzu kapattı',
    microphone_teacher: 'Öğretmen mikrofonunuzu kapattı',
    camera: 'Bir moderatör kameranızı kapattı',
    camera_teacher: 'Öğretmen kameranızı kapattı',
    screen: 'Şu anda ekranınızı paylaşamazsınız',
    chat: 'Şu anda sohbete yazamazsınız',
  },
  permitted: {
    microphone: 'Artık mikrofonunuzu açabilirsiniz',
    camera: 'Artık kameranızı açabilirsiniz',
    screen: 'Artık ekranınızı paylaşabilirsiniz',
    chat: 'Artık sohbete yazabilirsiniz',
  },
}
