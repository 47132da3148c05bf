export const refused = {
  link_incomplete: {
    title: 'Bu bağlantı eksik',
    text: 'Adresin bir bölümü eksik. Bağlantıyı aldığınız mesajdan bütün olarak kopyalayın veya oradan açın.',
  },
  link_foreign: {
    title: 'Bu bağlantı bozuk',
    text: 'Kopyalanırken değişmiş olabilir veya başka bir sunucuya ait. Yeniden kopyalayın veya sizi davet eden kişiden yenisini isteyin.',
  },
  link_rotated: {
    title: 'Bu bağlantı değiştirildi',
    text: 'Bu oda için daha yeni bir bağlantı var. Sizi davet eden kişiden isteyin.',
  },
  room_closed: {
    title: 'Bu oda kapalı',
    text: 'Toplantı sona erdi. Devam etmesini bekliyorsanız sizi davet eden kişiyle iletişime geçin.',
  },
  plain_link_closed: {
    title: 'Bu oda için kişisel bağlantı gerekiyor',
    text: 'Sizi davet eden kişiden kişisel bağlantınızı isteyin.',
  },
  room_cancelled: {
    title: 'Bu toplantı iptal edildi',
    text: 'Toplantı yapılmayacak. Sizi davet eden kişiye başka bir zaman sorun.',
  },
  account_deleted: {
    title: 'Bu hesap silindi',
    text: 'Bu bağlantının ait olduğu hesap artık yok. Sizi davet eden kişiden yeni bir bağlantı isteyin.',
  },
  account_disabled: {
    title: 'Bu hesap devre dışı',
    text: 'Bir yönetici, bu bağlantının ait olduğu hesabı devre dışı bıraktı. Sizi davet eden kişiye sorun.',
  },
  room_not_found: {
    title: 'Bu oda artık yok',
    text: 'Bağlantı geçerli, ancak odası silinmiş. Sizi davet eden kişiden yeni bir bağlantı isteyin.',
  },
  conference_not_found: {
    title: 'Böyle bir toplantı yok',
    text: 'Adresi kontrol edin veya sizi davet eden kişiden bağlantıyı isteyin.',
  },
  links_off: {
    title: 'Kişisel bağlantılar kapalı',
    text: 'Bu sunucu şu anda kişisel bağlantıları kabul etmiyor. Sizi davet eden kişiye bildirin.',
  },
  unknown: {
    title: 'Bu bağlantı açılamadı',
    text: 'Sunucu beklenmeyen bir yanıt gönderdi. Sayfayı yenileyin; işe yaramazsa sizi davet eden kişiyle iletişime geçin.',
  },
}

export const problem = {
  unreachable: {
    title: 'Sunucuya ulaşılamıyor',
    text: 'İnternet bağlantınızı kontrol edin. Bu sayfa otomatik olarak denemeyi sürdürür.',
  },
  failing: {
    title: 'Sunucuda sorun var',
    text: 'Bağlantınız doğru olabilir. Bu sayfa otomatik olarak denemeyi sürdürür.',
  },
  rate_limited: {
    title: 'Çok fazla deneme',
    text: 'Ağınızdan çok fazla istek geldi. Bu sayfa otomatik olarak tekrar dener.',
  },
  next: 'Sonraki deneme: {{when}}',
  now: 'Tekrar deneniyor…',
  again: 'Tekrar dene',
}

export const loading = {
  title: 'Yükleniyor…',
  text: 'Bu, normalden uzun sürüyor. İnternet bağlantınızı kontrol edin.',
  failed: 'Sayfa yüklenemedi',
  failedText: 'Sunucu güncelleniyor olabilir. Birazdan sayfayı yenileyin.',
}

export const notFound = {
  title: 'Sayfa bulunamadı',
  text: 'Davetinizdeki bağlantıyı açın. Adresi elle yazdıysanız kontrol edin.',
}
