export const options = {
  title: 'Seçenekler',
  copyInvitation: 'Davet bağlantısını kopyala',
  invitationCopied: 'Kopyalandı.',
  sounds: 'Şu durumlarda ses çal',
  sound: {
    join: 'biri katıldığında',
    hand: 'biri el kaldırdığında',
    message: 'mesaj geldiğinde',
  },
  more: 'Diğer',
  tabTitle: 'Olanları sekme başlığında göster',
  pushToTalk: 'Mikrofon kapalıyken konuşmak için boşluk tuşunu basılı tut',
  alert: {
    join: '{{name}} katıldı',
    hand: '{{name}} el kaldırdı',
    message: '{{name}} mesaj gönderdi',
  },
  volume: { voice: 'Bendeki ses düzeyi', screen: 'Paylaşılan ekranın bendeki ses düzeyi' },
}

export const reactions = {
  title: 'Tepkiler',
  forbidden: 'Şu anda yalnızca moderatörler tepki verebilir',
  forbidden_teacher: 'Şu anda yalnızca öğretmen tepki verebilir',
  announce: '{{name}}: {{reaction}}',
  thumbs_up: 'Beğeni',
  clap: 'Alkış',
  heart: 'Kalp',
  laugh: 'Kahkaha',
  party: 'Kutlama',
  surprise: 'Şaşkınlık',
  thinking: 'Düşünme',
  wave: 'El sallama',
}

export const pointer = {
  start: 'Lazer işaretçi',
  stop: 'Lazer işaretçiyi kaldır',
  board: 'Üzerinde işaret edebileceğiniz paylaşılan ekranınız',
  hint: 'Diğerleri nereyi gösterdiğinizi görür. Ok tuşları işaretçiyi hareket ettirir, Shift ile daha hızlı. Escape kaldırır.',
}

export const pip = {
  open: 'Pencere içinde pencere',
  close: 'Pencere içinde pencereyi kapat',
}

export const statistics = {
  title: 'Bağlantı istatistikleri',
  none: 'Ses ve görüntü bağlı değil.',
  sent: 'Gönderdikleriniz',
  received: 'Aldıklarınız',
  source: {
    microphone: 'Mikrofon',
    camera: 'Kamera',
    screen: 'Ekran',
    screen_audio: 'Ekranın sesi',
  },
  kbps: '{{kbps}} kbit/sn',
  loss: '%{{percent}} kayıp',
  fps: '{{fps}} kare/sn',
  rtt: 'gidiş dönüş {{ms}} ms',
  route: { udp: 'UDP', tcp: 'TCP', relay: 'aktarma sunucusu' },
}
