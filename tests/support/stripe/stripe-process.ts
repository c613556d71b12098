// A Stripe stand-in for trying billing manually: npx tsx tests/support/stripe/stripe-process.ts [port] [the product's URL]
import { startStripe, stripeKeys } from './stripe';

const [port = '12111', product = 'http://127.0.0.1:3000'] = process.argv.slice(2);
const { url } = await startStripe({ port: Number(port), webhookUrl: `${product}/api/stripe/webhook` });

console.log(`Start the product with:
STRIPE_API_BASE=${url} \\
STRIPE_SECRET_KEY=${stripeKeys.secretKey} \\
STRIPE_WEBHOOK_SECRET=${stripeKeys.webhookSecret} \\
STRIPE_PRICE_PRO=${stripeKeys.pricePro} \\
STRIPE_PRICE_BUSINESS=${stripeKeys.priceBusiness}`);
