/** Sharing one's own screen. */
export const sharing = {
  on: 'Paylaşıyorsunuz',
  onWithSound: 'Sesli paylaşıyorsunuz',
  soundOff: 'Ekranınızın sesini kapat',
  soundOn: 'Ekranınızın sesini aç',
  preview: 'Paylaştığınız içeriğin önizlemesi',
  stop: 'Durdur',
  forVideo: 'Video için iyileştir',
  problem: {
    unsupported: {
      title: 'Bu tarayıcı ekran paylaşamıyor',
      text: 'Telefon ve tablet tarayıcıları ekran paylaşamaz. Paylaşmak için bilgisayardan katılın.',
    },
    insecure: {
      title: 'Güvenli bir bağlantı gerekiyor',
      text: 'Adres https ile başlamalıdır. Sizi davet eden kişiye bildirin.',
    },
    refused_by_frame: {
      title: 'Toplantının bulunduğu sayfa paylaşıma izin vermiyor',
      text: 'Toplantıyı kendi sekmesinde açın. Paylaşıma o sayfanın sahibi izin verebilir.',
    },
    refused_by_system: {
      title: 'Sisteminiz paylaşıma izin vermiyor',
      text: 'Sisteminizin gizlilik ayarlarını açın, bu tarayıcı için ekran kaydına izin verin ve tarayıcıyı yeniden başlatın.',
    },
    blocked: {
      title: 'Tarayıcınız paylaşıma izin vermiyor',
      text: 'Adresin solundaki simgeye tıklayıp paylaşıma izin verin. Yönetilen bir bilgisayarda yöneticiye başvurun.',
    },
    failed: {
      title: 'Ekranınız paylaşılmadı',
      text: 'Tekrar deneyin ve başka bir ekran, pencere veya sekme seçin.',
    },
  },
}
