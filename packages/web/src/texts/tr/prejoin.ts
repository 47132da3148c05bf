export const link = {
  opening: 'Bağlantınız açılıyor…',
  code: 'Destek kodu:',
}

export const invitation = {
  heading: 'Davet',
  untitled: 'Başlıksız toplantı',
  time: 'Zaman',
  from: '{{time}} itibarıyla',
  until: '{{time}} saatine kadar',
  zone: 'Saat dilimi: {{zone}}',
  guest: 'Davet edilen',
  personal: 'Bu bağlantı kişiseldir. Paylaşmayın: açan herkes sizin adınızla katılır.',
  about: 'Bu toplantı hakkında',
  all: 'Tümünü göster',
  less: 'Daha az göster',
}

export const prejoin = {
  recorded: 'Bu toplantı otomatik olarak kaydedilir: ses, görüntü ve paylaşılan ekranlar.',
  name: 'Adınız',
  nameMissing: 'Adınızı girin.',
  join: 'Katıl',
  joinBlocked: 'Kamera ve mikrofon olmadan katıl',
  joinAs: 'Katılan: {{name}}',
  change: 'Değiştir',
  options: 'Ayarlar',
  copyLink: 'Başka yerde açmak için bağlantıyı kopyala',
  copyRefused: 'Tarayıcınız kopyalamaya izin vermiyor. Bağlantıyı başka bir tarayıcıda yeniden açın.',
  preview: 'Kamera önizlemesi',
  settings: 'Cihazlar',
  requesting: 'Kamera ve mikrofonunuza erişime izin verin',
  requestingText:
    'Tarayıcının sorusunda “İzin ver”i seçin. Siz katılana kadar kimse sizi göremez veya duyamaz.',
  cameraOff: 'Kamera kapalı',
  cameraFailed: 'Kameranızdan görüntü gelmiyor',
  cameraStarting: 'Kamera başlatılıyor…',
  without: {
    both: 'Kamera ve mikrofon olmadan katılacaksınız. Bunları daha sonra açabilirsiniz.',
    microphone: 'Mikrofonunuz kapalı katılacaksınız. Daha sonra açabilirsiniz.',
  },
  levelQuiet: 'Mikrofonunuzu test etmek için bir şeyler söyleyin',
  levelDetected: 'Mikrofonunuz çalışıyor',
  testSound: 'Test sesi çal',
  noWebRtc: {
    title: 'Bu tarayıcı desteklenmiyor',
    text: 'WebRTC yok veya kapalı. Bağlantıyı Firefox, Chrome, Edge veya Safari’nin güncel bir sürümünde açın.',
  },
  playing: 'Çalıyor…',
  systemSpeaker: 'Sistem varsayılanı',
}

export const entrance = {
  signedIn: '{{login}} olarak oturum açtınız.',
  lost: 'Oturumunuz kapatıldı. Yeniden oturum açın.',
  noGuests: 'Bu toplantıya katılmak için bir hesabınız olmalı. Devam etmek için oturum açın.',
  orAccount: 'Hesabınız var mı?',
  orGuest: 'Hesabınız yok mu?',
  guest: 'Misafir olarak devam et',
}

export const start = {
  title: 'Yüz yüze görüşün',
  text: 'Katılmak için toplantı bağlantısını veya kodunu girin.',
  link: 'Toplantı bağlantısı veya kodu',
  example: 'örneğin {{code}}',
  go: 'Toplantıyı aç',
  wrong: {
    elsewhere: 'Bu bağlantı başka bir sunucuya gidiyor. Tarayıcınızda açın.',
    nothing: 'Bu bir toplantı bağlantısı veya kodu değil. Kontrol edip tekrar deneyin.',
  },
}

export const status = {
  live: 'Devam ediyor',
  scheduled: 'Planlandı',
  empty: 'Toplantıda kimse yok',
}

export const inside = {
  one: '{{name}} burada',
  two: '{{name}} ve {{second}} burada',
  more_one: '{{name}}, {{second}} ve {{count, number}} kişi daha burada',
  more_other: '{{name}}, {{second}} ve {{count, number}} kişi daha burada',
}

export const timing = {
  ahead: 'Başlangıç: {{when}}',
  starting: 'Şimdi başlıyor',
  due: 'Başladı: {{when}}',
  over: 'Sona erdi: {{when}}',
  'live-until': 'Bitiş: {{when}}',
  overtime: 'Planlanan bitiş saati geçti',
}

export const role = {
  teacher: 'Öğretmen',
  student: 'Öğrenci',
}
