-- AlterEnum
ALTER TYPE "monitor_type" ADD VALUE 'domain';
