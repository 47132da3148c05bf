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
  result: { recordings: 'Kaydı aç', transcripts: 'Transkripti aç' },
  technicalUser: {
    create: 'Yeni oluştur',
    existing: 'Var olanı kullan',
    note: 'İş ortağının odaları teknik kullanıcıya aittir. Parolaya ihtiyacı yoktur: iş ortağının sunucusu istemci gizli anahtarıyla oturum açar.',
  },
  how: {
    users: '“Yeni kullanıcı” ile bir tane oluşturun ve kişiye davet bağlantısını gönderin.',
    serviceAccounts:
      'Bir iş ortağının sunucusu oda oluşturmak için buna ihtiyaç duyar. “Yeni hizmet hesabı” ile oluşturun ve istemci gizli anahtarını iş ortağına verin.',
    sessions: 'Biri bir toplantıya katıldığında oturum burada görünür, son kişi ayrıldığında kaybolur.',
    rooms: 'İş ortakları odaları bir hizmet hesabıyla, iş ortağı API’si üzerinden oluşturur.',
    recordings: 'Bir moderatör kaydı başlattığında ve bir kaydedici onu sakladığında kayıt burada görünür.',
    transcripts:
      'Transkripti oluşturulan bir toplantı bittiğinde transkript burada görünür. Bunun için bir transkript oluşturucu gerekir.',
    jobs: 'Bir kayıt veya transkript başladığında iş burada görünür.',
    webhooks:
      'Bir iş ortağı webhook ayarladığında ve odalarından birinde bir şey olduğunda gönderimler burada görünür.',
    push: 'Bildirimler hemen gönderilir. Bir push hizmetinin kabul etmedikleri burada sonraki denemeyi bekler.',
    audit: 'Yöneticilerin değiştirdiği her şey burada listelenir.',
  },
}
