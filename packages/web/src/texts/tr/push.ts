export const push = {
  hint: 'Hiçbir sayfa açık değilken gelen aramalar ve mesajlar için.',
  switch: 'Bu tarayıcıda bildirim al',
  checking: 'Kontrol ediliyor…',
  failed: 'Bildirimler açılamadı. Bağlantınızı kontrol edip tekrar deneyin.',
  notOff: 'Bildirimler kapatılamadı. Bağlantınızı kontrol edip tekrar deneyin.',
  blocked:
    'Bu site için bildirimler engellenmiş. Adresin solundaki simgeye tıklayıp bildirimlere izin verin.',
  unavailable: {
    disabled: 'Bu sunucu bildirim göndermiyor.',
    unsupported:
      'Bu tarayıcı burada bildirimleri desteklemiyor. Güncel bir tarayıcı veya https kullanan bir sayfa deneyin.',
    install:
      'Önce bu sayfayı ana ekranınıza ekleyin: Paylaş’a, ardından “Ana Ekrana Ekle”ye dokunun ve sayfayı oradan açın.',
  },
}
