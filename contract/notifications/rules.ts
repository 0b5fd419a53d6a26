export const notificationTypes = [
  'TRADE_OFFERED',
  'PRICE_UPDATED',
  'Seller_Agreement',
  'Buyer_Offer',
  'Buyer_Agreement',
] as const
export type NotificationType = (typeof notificationTypes)[number]
