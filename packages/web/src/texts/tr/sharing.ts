/** Sharing one's own screen. */
export const sharing = {
  on: 'Paylaşıyorsunuz',
  onWithSound: 'Sesle birlikte paylaşıyorsunuz',
  soundOff: 'Ekranınızın sesini kapat',
  soundOn: 'Ekranınızın sesini aç',
  preview: 'Paylaştığınız içeriğin önizlemesi',
  stop: 'Durdur',
  problem: {
    unsupported: {
      title: 'Bu tarayıcı ekran paylaşamaz',
      text: 'Telefon ve tablet tarayıcıları bunu yapamaz. Ekranınızı paylaşmak için bilgisayardan katılın.',
    },
    insecure: {
      title: 'Güvenli bağlantı gerekiyor',
      text: 'Adres https ile başlamalıdır. Sizi davet eden kişiye haber verin.',
    },
    refused_by_frame: {
      title: 'Çevreleyen sayfa paylaşıma izin vermiyor',
      text: 'Toplantıyı kendi sekmesinde açın. Çevreleyen sayfanın sahibi paylaşıma izin verebilir.',
    },
    refused_by_system: {
      title: 'Sisteminiz paylaşıma izin vermiyor',
      text: 'Sisteminizin gizlilik ayarlarını açın, bu tarayıcıya ekran kaydı izni verin ve tarayıcıyı yeniden başlatın.',
    },
    blocked: {
      title: 'Tarayıcınız paylaşıma izin vermiyor',
      text: 'Adresin solundaki simgeye tıklayıp paylaşıma izin verin. Yönetilen bir bilgisayarda yöneticiye danışın.',
    },
    failed: {
      title: 'Ekranınız paylaşılmadı',
      text: 'Yeniden deneyin ve başka bir ekran, pencere veya sekme seçin.',
    },
  },
}
