/** What participants set for themselves, and tools that are needed rarely. */
export const options = {
  copyInvitation: 'Davet bağlantısını kopyala',
  invitationCopied: 'Kopyalandı.',
  sounds: 'Şu durumlarda ses çal',
  sound: {
    join: 'biri katıldığında',
    hand: 'biri el kaldırdığında',
    message: 'mesaj geldiğinde',
  },
  bubble: 'Yeni mesajları videoların üzerinde göster',
  tabTitle: 'Olanları sekme başlığında göster',
  pushToTalk: 'Mikrofon kapalıyken konuşmak için boşluk çubuğunu basılı tut',
  alert: {
    join: '{{name}} katıldı',
    hand: '{{name}} el kaldırdı',
    message: 'Mesaj: {{name}}',
  },
  volume: { voice: 'Benim için ses düzeyi', screen: 'Paylaşılan ekranın benim için ses düzeyi' },
}

export const reactions = {
  title: 'Tepkiler',
  forbidden: 'Şu anda yalnızca moderatörler tepki verebilir',
  forbidden_teacher: 'Şu anda yalnızca öğretmen tepki verebilir',
  announce: '{{name}}: {{reaction}}',
  thumbs_up: 'Beğeni',
  clap: 'Alkış',
  heart: 'Kalp',
  laugh: 'Gülme',
  party: 'Kutlama',
  surprise: 'Şaşkınlık',
  thinking: 'Düşünme',
  wave: 'El sallama',
}

export const pointer = {
  start: 'Lazer işaretçi',
  stop: 'Lazer işaretçiyi kapat',
  board: 'Göstermek için paylaştığınız ekran',
  hint: 'Diğerleri gösterdiğiniz yeri görür. Ok tuşları işaretçiyi hareket ettirir, Shift ile daha hızlı. Esc kapatır.',
}

export const pip = {
  open: 'Pencere içinde pencere',
  close: 'Pencere içinde pencereyi kapat',
}

export const statistics = {
  title: 'Bağlantı istatistikleri',
  none: 'Ses ve görüntü bağlı değil.',
  sent: 'Gönderdiğiniz',
  received: 'Aldığınız',
  source: {
    microphone: 'Mikrofon',
    camera: 'Kamera',
    screen: 'Ekran',
    screen_audio: 'Ekran sesi',
  },
  kbps: '{{kbps}} kbit/sn',
  loss: '%{{percent}} kayıp',
  fps: '{{fps}} fps',
  rtt: 'gidiş dönüş {{ms}} ms',
  route: { udp: 'UDP', tcp: 'TCP', relay: 'aktarma sunucusu' },
}

export const bar = {
  panel: 'Panel',
  enlarge: 'Paneli büyüt',
  reduce: 'Paneli küçült',
  board: 'Tahta',
  myPage: 'Sayfam',
  openBoard: 'Tahtayı herkese göster',
  closeBoard: 'Tahtayı herkes için kapat',
  boardLoading: 'Tahta yükleniyor…',
  exit: 'Çıkış seçenekleri',
  leave: 'Ayrıl, toplantı devam etsin',
  leave_teacher: 'Ayrıl, ders devam etsin',
  end: 'Herkes için bitir…',
  endVerb: 'Herkes için bitir',
  endQuestion: 'Toplantı herkes için bitirilsin mi?',
  settings: {
    microphone: 'Ses ayarları',
    camera: 'Görüntü ayarları',
  },
  share: 'Paylaş',
  hand: 'El',
  left: '{{minutes, number}} dk kaldı',
  locked: 'Toplantı kilitli',
  hands: 'Kaldırılan eller: {{hands, number}}',
  waiting: 'Bekleyenler: {{waiting, number}}',
}

export const shortcuts = {
  b: 'Tahtayı göster veya kapat',
  m: 'Mikrofonu açma veya kapatma',
  v: 'Kamerayı açma veya kapatma',
  h: 'El kaldırma veya indirme',
  c: 'Sohbeti gösterme veya gizleme',
  p: 'Katılımcıları gösterme veya gizleme',
  g: 'Sonraki düzene geçme',
  r: 'Emojiyle tepki verme',
  help: 'Bu listeyi gösterme',
  spaceKey: 'Boşluk',
  space: 'Açıksa mikrofon kapalıyken konuşmak için basılı tutma',
  escape: 'Açık paneli veya iletişim kutusunu kapatma',
  note: 'Yazı yazarken harf tuşları çalışmaz.',
  s: 'Ekran paylaşımını başlatma veya durdurma',
  t: 'Altyazıları gösterme veya gizleme',
  f: 'Tam ekranı açma veya kapatma',
  settings: 'Ayarları açma',
}

export const roomSettings = {
  tabs: {
    audio: 'Ses',
    video: 'Görüntü',
    notices: 'Bildirimler',
    appearance: 'Dil ve görünüm',
    keys: 'Tuşlar',
    statistics: 'İstatistikler',
  },
  shortcuts: 'Klavye kısayolları',
}
