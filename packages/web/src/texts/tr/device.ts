export const device = {
  camera: { name: 'Kamera', turnOn: 'Kamerayı aç', turnOff: 'Kamerayı kapat' },
  microphone: { name: 'Mikrofon', turnOn: 'Mikrofonu aç', turnOff: 'Mikrofonu kapat' },
  speaker: { name: 'Hoparlör' },
  both: { name: 'Kamera ve mikrofon' },
  again: 'Tekrar dene',
  newTab: 'Yeni sekmede aç',
  replaced: '“{{previous}}” çıkarıldı veya kullanımda. Artık “{{current}}” kullanılıyor.',
  speakerReplaced: '“{{previous}}” çıkarıldı. Artık sistem varsayılanı kullanılıyor.',
  interrupted:
    'Sistem cihazı duraklattı, örneğin bir telefon görüşmesi nedeniyle. Otomatik olarak devam eder.',
}

export const deviceProblem = {
  refused: {
    title: 'Tarayıcınız erişimi engelliyor',
    text: 'Adresin solundaki simgeye tıklayın, bu sayfa için erişime izin verin ve tekrar deneyin.',
  },
  refused_by_system: {
    title: 'Sisteminiz erişimi engelliyor',
    text: 'Sisteminizin gizlilik ayarlarını açın, bu tarayıcı için erişime izin verin ve tekrar deneyin.',
  },
  refused_by_frame: {
    title: 'Toplantının bulunduğu sayfa erişimi engelliyor',
    text: 'Toplantıyı yeni bir sekmede açın. Erişime o sayfanın sahibi izin verebilir.',
  },
  missing: {
    title: 'Cihaz bulunamadı',
    text: 'Bir cihaz bağlayın. Otomatik olarak algılanır.',
  },
  in_use: {
    title: 'Başka bir uygulama kullanıyor',
    text: 'Diğer uygulamayı veya sekmeyi kapatıp tekrar deneyin.',
  },
  insecure: {
    title: 'Güvenli bir bağlantı gerekiyor',
    text: 'Adres https ile başlamalıdır. Sizi davet eden kişiye bildirin.',
  },
  failed: {
    title: 'Başlatılamadı',
    text: 'Cihazı çıkarıp yeniden takın veya tarayıcınızı yeniden başlatın. Ardından tekrar deneyin.',
  },
  background_failed: {
    title: 'Arka plan gizlenemedi',
    text: 'Kimse odanızı görmesin diye kameranız kapalı kalıyor. Tekrar deneyin veya odanızı gösterin.',
  },
  background_slow: {
    title: 'Bu cihaz bir arka plan için çok yavaş',
    text: 'Kimse odanızı görmesin diye kameranız kapatıldı. Diğer programları kapatıp tekrar deneyin veya odanızı gösterin.',
  },
}

export const connection = {
  title: 'Bağlantı',
  run: 'Bağlantıyı kontrol et',
  testing: 'Bağlantınız kontrol ediliyor…',
  udp: 'Bağlantınız iyi. Ses ve görüntü doğrudan yoldan gidiyor.',
  tcp: 'Ağınız en hızlı yolu engelliyor. Aramalar çalışır, ancak ses ve görüntü zaman zaman donabilir.',
  relay:
    'Ağınız aramalara yalnızca bir aktarma sunucusu üzerinden izin veriyor. Aramalar hafif gecikmeyle çalışır.',
  none: 'Ağınız aramaları engelliyor. Mobil veri gibi başka bir ağ deneyin.',
  failed: 'Bağlantı kontrol edilemedi. Birazdan tekrar deneyin.',
  details: 'Destek için ayrıntılar',
  routeStatus: { open: 'kullanılabilir', blocked: 'engelli', missing: 'sunulmuyor' },
  server: 'Sunucu',
  time: 'Saat',
  browser: 'Tarayıcı',
  copy: 'Ayrıntıları kopyala',
  copied: 'Kopyalandı.',
  selected: 'Tarayıcınız kopyalamaya izin vermiyor. Ayrıntılar seçildi; kendiniz kopyalayabilirsiniz.',
}
