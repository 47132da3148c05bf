export const callEnded = {
  again: 'Voltar à reunião',
  reload: 'Recarregar página',
  left: { title: 'Você saiu da reunião', text: 'A reunião continua sem você.' },
  removed: {
    title: 'Removeram você da reunião',
    text: 'Um moderador removeu você. É possível voltar quando um moderador permitir.',
    text_teacher: 'O professor removeu você. É possível voltar quando o professor permitir.',
  },
  ended: { title: 'A reunião terminou', text: 'Você pode fechar esta página.' },
  closed: { title: 'Esta sala foi fechada', text: 'A reunião terminou. Você pode fechar esta página.' },
  cancelled: { title: 'Esta reunião foi cancelada', text: 'Ela não vai acontecer.' },
  denied: {
    title: 'Seu pedido para entrar foi recusado',
    text: 'Você pode pedir de novo em alguns minutos.',
  },
  timed_out: {
    title: 'Ninguém deixou você entrar',
    text: 'Você esperou muito tempo. É possível pedir de novo.',
  },
  lobby_full: {
    title: 'Há pessoas demais esperando',
    text: 'A sala de espera está cheia. Tente de novo em alguns minutos.',
  },
  plain_link_closed: {
    title: 'Esta sala exige um link pessoal',
    text: 'Peça seu link pessoal a quem convidou você.',
  },
  full: { title: 'A reunião está cheia', text: 'Tente de novo quando alguém sair.' },
  too_many_devices: {
    title: 'Você entrou em dispositivos demais',
    text: 'Saia da reunião em outra guia ou em outro dispositivo e tente de novo.',
  },
  not_found: {
    title: 'Esta sala não existe mais',
    text: 'Peça um novo link a quem convidou você.',
  },
  link_rotated: {
    title: 'Seu link foi substituído',
    text: 'Há um link mais recente para esta sala. Peça-o a quem convidou você.',
  },
  link_invalid: {
    title: 'Seu link não é mais válido',
    text: 'Peça um novo a quem convidou você.',
  },
  guests_not_allowed: {
    title: 'Convidados não podem participar desta reunião',
    text: 'Peça um link pessoal a quem convidou você.',
  },
  signed_out: {
    title: 'Sua sessão foi encerrada',
    text: 'Entre de novo. Se não funcionar, limpe os dados deste site nas configurações do navegador e abra o link outra vez.',
  },
  account_deleted: {
    title: 'Sua conta foi excluída',
    text: 'Abra seu link de novo ou peça um novo a quem convidou você.',
  },
  incompatible: {
    title: 'Esta página está desatualizada',
    text: 'O servidor foi atualizado. Recarregue a página para voltar à reunião.',
  },
  refused: {
    title: 'Não foi possível entrar',
    text: 'O servidor não deixou você entrar. Tente de novo; se não funcionar, fale com quem convidou você.',
  },
}
