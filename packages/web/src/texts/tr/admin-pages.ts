export const adminPages = {
  groups: { people: 'Kişiler', meetings: 'Toplantılar', system: 'Sistem' },
  actionsOf: 'İşlemler: {{name}}',
  noMatch: 'Aramaya ve filtrelere uyan bir şey yok.',
  clear: 'Aramayı ve filtreleri temizle',
  starts: 'Başlangıç',
  ends: 'Bitiş',
  files: 'Dosyalar',
  changed: 'Değiştirildi',
  history: 'Geçmiş',
  deletedMeeting: 'Silinmiş toplantı',
  changeScopes: 'Kapsamları değiştir',
  nothingWaits: 'Bekleyen yok.',
  room: {
    open: 'Odasını aç',
    closeHint: 'Ders bitti: oturumu sona erer ve bağlantıları dersin bittiğini söyler.',
    cancelHint: 'Ders yapılmayacak: bağlantıları dersin iptal edildiğini söyler.',
  },
  result: { recordings: 'Kaydı aç', transcripts: 'Dökümü aç' },
  technicalUser: {
    create: 'Yeni oluştur',
    existing: 'Var olanı kullan',
    note: 'Ortağın odaları teknik kullanıcıya aittir. Parolaya ihtiyacı yoktur: ortağın sunucusu istemci sırrıyla oturum açar.',
  },
  how: {
    users: '“Yeni kullanıcı” ile bir tane oluşturun ve kişiye davet bağlantısını gönderin.',
    serviceAccounts:
      'Bir ortağın sunucusu oda oluşturmak için buna ihtiyaç duyar. “Yeni hizmet hesabı” ile oluşturun ve istemci sırrını ortağa verin.',
    sessions: 'Biri bir toplantıya katıldığında oturum burada görünür, son kişi ayrıldığında kaybolur.',
    rooms: 'Ortaklar odaları bir hizmet hesabıyla, ortak API’si üzerinden oluşturur.',
    recordings: 'Bir moderatör kaydı başlattığında ve bir kaydedici onu sakladığında kayıt burada görünür.',
    transcripts:
      'Dökümü yapılan bir toplantı bittiğinde döküm burada görünür. Bunun için bir döküm çalışanı gerekir.',
    jobs: 'Bir kayıt veya döküm başladığında iş burada görünür.',
    webhooks:
      'Bir ortak webhook ayarladığında ve odalarından birinde bir şey olduğunda gönderimler burada görünür.',
    push: 'Bildirimler hemen gönderilir. Bir push hizmetinin kabul etmedikleri burada sonraki denemeyi bekler.',
    audit: 'Yöneticilerin değiştirdiği her şey burada listelenir.',
  },
}
