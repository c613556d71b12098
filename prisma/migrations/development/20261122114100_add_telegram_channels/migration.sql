-- AlterEnum
ALTER TYPE "channel_type" ADD VALUE 'telegram';
