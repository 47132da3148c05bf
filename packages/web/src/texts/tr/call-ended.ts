export const callEnded = {
  again: 'Yeniden katıl',
  reload: 'Sayfayı yenile',
  left: { title: 'Toplantıdan ayrıldınız', text: 'Toplantı siz olmadan devam ediyor.' },
  removed: {
    title: 'Toplantıdan çıkarıldınız',
    text: 'Sizi bir moderatör çıkardı. Bir moderatör sizi içeri alırsa yeniden katılabilirsiniz.',
    text_teacher: 'Sizi öğretmen çıkardı. Öğretmen sizi içeri alırsa yeniden katılabilirsiniz.',
  },
  ended: { title: 'Toplantı sona erdi', text: 'Bu sayfayı kapatabilirsiniz.' },
  closed: { title: 'Bu oda kapatıldı', text: 'Toplantı sona erdi. Bu sayfayı kapatabilirsiniz.' },
  cancelled: { title: 'Bu toplantı iptal edildi', text: 'Toplantı yapılmayacak.' },
  denied: {
    title: 'Katılma isteğiniz reddedildi',
    text: 'Birkaç dakika sonra yeniden isteyebilirsiniz.',
  },
  timed_out: { title: 'Kimse sizi içeri almadı', text: 'Uzun süre beklediniz. Yeniden isteyebilirsiniz.' },
  lobby_full: {
    title: 'Çok fazla kişi bekliyor',
    text: 'Bekleme odası dolu. Birkaç dakika sonra tekrar deneyin.',
  },
  plain_link_closed: {
    title: 'Bu oda için kişisel bağlantı gerekiyor',
    text: 'Sizi davet eden kişiden kişisel bağlantınızı isteyin.',
  },
  full: { title: 'Toplantı dolu', text: 'Biri ayrıldığında tekrar deneyin.' },
  too_many_devices: {
    title: 'Çok fazla cihazdan katıldınız',
    text: 'Başka bir sekmede veya cihazda toplantıdan ayrılıp tekrar deneyin.',
  },
  not_found: {
    title: 'Bu oda artık yok',
    text: 'Sizi davet eden kişiden yeni bir bağlantı isteyin.',
  },
  link_rotated: {
    title: 'Bağlantınız değiştirildi',
    text: 'Bu oda için daha yeni bir bağlantı var. Sizi davet eden kişiden isteyin.',
  },
  link_invalid: {
    title: 'Bağlantınız artık geçerli değil',
    text: 'Sizi davet eden kişiden yenisini isteyin.',
  },
  guests_not_allowed: {
    title: 'Misafirler bu toplantıya katılamaz',
    text: 'Sizi davet eden kişiden kişisel bir bağlantı isteyin.',
  },
  signed_out: {
    title: 'Oturumunuz kapatıldı',
    text: 'Yeniden katılın. İşe yaramazsa tarayıcı ayarlarından bu sitenin verilerini temizleyip bağlantıyı yeniden açın.',
  },
  account_deleted: {
    title: 'Hesabınız silindi',
    text: 'Bağlantınızı yeniden açın veya sizi davet eden kişiden yenisini isteyin.',
  },
  incompatible: {
    title: 'Bu sayfa güncel değil',
    text: 'Sunucu güncellendi. Yeniden katılmak için sayfayı yenileyin.',
  },
  refused: {
    title: 'Katılamadınız',
    text: 'Sunucu sizi içeri almadı. Tekrar deneyin; işe yaramazsa sizi davet eden kişiyle iletişime geçin.',
  },
}
