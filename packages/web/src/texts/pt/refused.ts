export const refused = {
  link_incomplete: {
    title: 'Este link está incompleto',
    text: 'Falta uma parte do endereço. Copie o link inteiro da mensagem que você recebeu ou abra-o por lá.',
  },
  link_foreign: {
    title: 'Este link está danificado',
    text: 'Ele pode ter mudado ao ser copiado ou pertence a outro servidor. Copie de novo ou peça um novo a quem convidou você.',
  },
  link_rotated: {
    title: 'Este link foi substituído',
    text: 'Há um link mais recente para esta sala. Peça-o a quem convidou você.',
  },
  room_closed: {
    title: 'Esta sala está fechada',
    text: 'A reunião terminou. Se você esperava que ela continuasse, fale com quem convidou você.',
  },
  plain_link_closed: {
    title: 'Esta sala exige um link pessoal',
    text: 'Peça seu link pessoal a quem convidou você.',
  },
  room_cancelled: {
    title: 'Esta reunião foi cancelada',
    text: 'Ela não vai acontecer. Pergunte a quem convidou você sobre outro horário.',
  },
  account_deleted: {
    title: 'Esta conta foi excluída',
    text: 'A conta a que este link pertence não existe mais. Peça um novo link a quem convidou você.',
  },
  account_disabled: {
    title: 'Esta conta está desativada',
    text: 'Um administrador desativou a conta a que este link pertence. Fale com quem convidou você.',
  },
  room_not_found: {
    title: 'Esta sala não existe mais',
    text: 'O link é válido, mas a sala foi excluída. Peça um novo link a quem convidou você.',
  },
  conference_not_found: {
    title: 'Esta reunião não existe',
    text: 'Verifique o endereço ou peça o link a quem convidou você.',
  },
  links_off: {
    title: 'Os links pessoais estão desativados',
    text: 'Este servidor não aceita links pessoais no momento. Avise quem convidou você.',
  },
  unknown: {
    title: 'Não foi possível abrir este link',
    text: 'O servidor enviou uma resposta inesperada. Recarregue a página; se não funcionar, fale com quem convidou você.',
  },
}

export const problem = {
  unreachable: {
    title: 'Não foi possível conectar ao servidor',
    text: 'Verifique sua conexão com a internet. Esta página continua tentando automaticamente.',
  },
  failing: {
    title: 'O servidor está com problemas',
    text: 'Seu link provavelmente está certo. Esta página continua tentando automaticamente.',
  },
  rate_limited: {
    title: 'Muitas tentativas',
    text: 'Houve muitas solicitações da sua rede. Esta página tenta de novo automaticamente.',
  },
  next: 'Próxima tentativa {{when}}',
  now: 'Tentando de novo…',
  again: 'Tentar de novo',
}

export const loading = {
  title: 'Carregando…',
  text: 'Está demorando mais que o normal. Verifique sua conexão com a internet.',
  failed: 'Não foi possível carregar a página',
  failedText: 'O servidor pode estar sendo atualizado. Recarregue a página em instantes.',
}

export const notFound = {
  title: 'Página não encontrada',
  text: 'Abra o link do seu convite. Se você digitou o endereço, verifique-o.',
}
